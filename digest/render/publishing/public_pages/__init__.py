"""The public pages: papers, people, days and searches, the same for everybody."""
