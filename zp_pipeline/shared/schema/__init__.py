"""Arrow schemas of the tables that the steps exchange, and the meaning of their columns."""
