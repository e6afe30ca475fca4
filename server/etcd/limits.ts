/** The longest time in milliseconds that Node's timers hold; a longer one would fire at once. */
export const longestTimerMs = 2 ** 31 - 1;
