// Everything of this module is in the one of Swift that lies over it.
