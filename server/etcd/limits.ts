/**
 * The longest time in milliseconds for a call. Node's timers hold no more than 2^31 - 1, and fire at
 * once beyond; whole seconds, since gRPC rounds a longer time up to seconds and would pass that limit.
 */
export const longestTimerMs = 2_147_483_000;
