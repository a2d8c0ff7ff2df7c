"""DNS records that vouch for our mails: DKIM, DMARC and SPF."""
