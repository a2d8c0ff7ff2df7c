"""What readers get into, change and end by links of their own: invitations, changes of address, deletions."""
