import { createFeatureChecker, type FeatureChecker } from '../../../server/etcd/features';
import { defineTopic, isColumns, UnknownShape, type VectorCase } from '../harness';

interface EndpointCheck {
  readonly endpoint: string;
  readonly version?: string;
  readonly error?: string;
}

/** A clock that the case moves. */
function handClock() {
  let ms = 0;
  return {
    now: () => ms,
    monotonic: () => ms,
    advance: (seconds: number) => (ms += seconds * 1000),
  };
}

async function check(checker: FeatureChecker, one: EndpointCheck): Promise<string | null> {
  try {
    await checker.checkEndpoint(one.endpoint, () => {
      if (one.error !== undefined) return Promise.reject(new Error(one.error));
      return Promise.resolve({ version: one.version ?? '' });
    });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function rounds(feature: string, all: readonly EndpointCheck[][]) {
  const checker = createFeatureChecker(handClock());
  if (all.length === 0) return { supports: checker.supports(feature) };
  const supports: boolean[] = [];
  const errors: (string | null)[][] = [];
  for (const round of all) {
    const found: (string | null)[] = [];
    for (const one of round) found.push(await check(checker, one));
    errors.push(found);
    supports.push(checker.supports(feature));
  }
  return { supports, errors };
}

function events(feature: string, all: readonly unknown[]) {
  const clock = handClock();
  const checker = createFeatureChecker(clock);
  const supports: boolean[] = [];
  for (const event of all) {
    if (event === 'markUnsupported') checker.markUnsupported(feature);
    else if (event === 'supports') supports.push(checker.supports(feature));
    else if (isColumns(event) && typeof event['advanceSeconds'] === 'number') {
      clock.advance(event['advanceSeconds']);
    } else throw new UnknownShape(`event ${JSON.stringify(event)}`);
  }
  return { supports };
}

/** Whether `act`, which upstream only logs for this feature, changed the answer about it. */
async function withoutEffect(feature: string, act: (checker: FeatureChecker) => unknown) {
  const checker = createFeatureChecker(handClock());
  const before = checker.supports(feature);
  await act(checker);
  const supports = checker.supports(feature);
  return { supports, effect: supports === before ? 'none' : 'changed' };
}

async function actual({ input }: VectorCase): Promise<unknown> {
  const feature = String(input['feature']);
  if (Array.isArray(input['rounds'])) return rounds(feature, input['rounds'] as EndpointCheck[][]);
  if (Array.isArray(input['events'])) return events(feature, input['events']);
  if (typeof input['version'] === 'string') {
    const one = { endpoint: 'localhost:2379', version: input['version'] };
    const { supports } = await rounds(feature, [[one]]);
    return { supports: Array.isArray(supports) ? supports[0] : supports };
  }
  const marked = input['markUnsupported'];
  if (typeof marked === 'string') {
    return withoutEffect(feature, (checker) => {
      checker.markUnsupported(marked);
    });
  }
  if (Array.isArray(input['checkEndpoints'])) {
    const endpoints = input['checkEndpoints'] as EndpointCheck[];
    return withoutEffect(feature, async (checker) => {
      for (const one of endpoints) await check(checker, one);
    });
  }
  throw new UnknownShape(JSON.stringify(input));
}

export const run = defineTopic({ actual });
