/** A cache that is not ready, before and since `ResilientWatchCacheInitialization` (1.31). */
import { parseResourceVersion } from '../../store/resourceVersion';
import { passesUnready } from '../serving';
import type { Preset } from './preset';

/** etcd serves what any state would do for, and all others wait. */
const patient = (resourceVersion: string): 'etcd' | 'waits' =>
  parseResourceVersion(resourceVersion) === 0n ? 'etcd' : 'waits';

export const patientCache: Pick<Preset, 'whenUnready' | 'getWhenUnready'> = {
  whenUnready: ({ resourceVersion }) => patient(resourceVersion),
  getWhenUnready: patient,
};

/** While the gate is on: cheap lists and gets go to etcd, and all others are refused at once. */
export const resilientCache: Pick<Preset, 'whenUnready' | 'getWhenUnready'> = {
  whenUnready: (options, gates) => {
    if (!gates.ResilientWatchCacheInitialization) return patient(options.resourceVersion);
    return passesUnready(options) ? 'etcd' : 'refused';
  },
  getWhenUnready: (resourceVersion, gates) =>
    gates.ResilientWatchCacheInitialization ? 'etcd' : patient(resourceVersion),
};
