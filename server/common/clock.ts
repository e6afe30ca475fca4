/** Time as the engine sees it, so that tests can move it. */
export interface Clock {
  /** Wall-clock time in milliseconds since 1970. */
  now(): number;
  /** Monotonic time in milliseconds, for durations. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
