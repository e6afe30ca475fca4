// Loaded into the server's process by a test: a fault that nothing catches, on a signal.
process.on('SIGUSR2', () => {
  throw new Error('thrown on purpose');
});
