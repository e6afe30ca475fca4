/** Numbers of Pods that growth is measured at. */
export const growthSizes = [1_000, 10_000, 100_000, 500_000] as const;
