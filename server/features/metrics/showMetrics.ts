/** The server's own metrics, as Prometheus text. */
import type { StoreMetrics } from '../../metrics/storeMetrics';
import { nothing } from '../params';
import type { Router } from '../router';

export function registerShowMetrics(router: Router, { registry }: StoreMetrics): void {
  router.handle('etcdList/metrics', nothing, async () => ({ text: await registry.metrics() }));
}
