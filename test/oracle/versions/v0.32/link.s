// Lets version.go declare a function that another package holds.
