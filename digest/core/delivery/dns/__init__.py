"""DNS records that authenticate our mails: SPF, DKIM and DMARC."""
