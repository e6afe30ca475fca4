import { expect, it } from 'vitest';
import { engineGates } from '../../../server/features/engineGates';
import { ServerSettings } from '../../../server/features/settings';

function gatesBy(featureGates: Record<string, boolean>, rangeStreamGate = true) {
  const settings = new ServerSettings(() => undefined);
  settings.take({ featureGates });
  return engineGates({ rangeStreamGate }, settings);
}

it("lists and caches obey upstream's defaults of the newest version", () => {
  expect(gatesBy({})).toEqual({
    etcdRangeStream: true,
    allowUnsafeMalformedObjectDeletion: true,
    listFromCacheSnapshot: true,
    consistentListFromCacheSkipTimeoutFallback: false,
  });
});

it('and what the settings say', () => {
  const named = {
    AllowUnsafeMalformedObjectDeletion: false,
    ListFromCacheSnapshot: false,
    ConsistentListFromCacheSkipTimeoutFallback: true,
  };
  expect(gatesBy(named, false)).toEqual({
    etcdRangeStream: false,
    allowUnsafeMalformedObjectDeletion: false,
    listFromCacheSnapshot: false,
    consistentListFromCacheSkipTimeoutFallback: true,
  });
});
