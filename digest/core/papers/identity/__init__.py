"""Which paper it is: ids in every form in which they are written, and papers that are one."""
