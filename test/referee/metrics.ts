/** The engine's metrics in the form in which the oracle tells upstream's. */
import type { StoreMetrics } from '../../server/metrics/storeMetrics';

interface Value {
  readonly value: number;
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
  readonly metricName?: string;
}

/** A line each, in order. Of histograms the count alone; what stayed zero is left out. */
export async function ourMetrics({ registry }: StoreMetrics): Promise<string[]> {
  const lines = (await registry.getMetricsAsJSON()).flatMap(({ name, values, type }) =>
    (values as readonly Value[]).flatMap(({ value, labels, metricName = name }) => {
      // prom-client's types say an enum of numbers, its answers are these words.
      const counts = String(type) === 'counter' || metricName === `${name}_count`;
      if (!counts || value === 0) return [];
      const pairs = Object.entries(labels).map(([label, text]) => `${label}=${String(text)}`);
      return [`${metricName}{${pairs.sort().join(',')}} ${String(value)}`];
    }),
  );
  return lines.sort();
}
