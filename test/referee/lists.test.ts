import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { etcdMissing, startEtcd, type RunningEtcd } from '../support/etcdServer';
import { Engine } from './engine';
import { Cluster, Mismatch, Referee } from './match';
import { Oracle, oracleMissing, RefereeFault } from './oracle';
import { cluster } from './plans';
import { refereeSettings, timeoutFor } from './settings';

const { cases, seed } = refereeSettings();

/** How long a difference is made smaller before it is shown, in milliseconds. */
const shrinkMs = 60_000;

describe.skipIf(oracleMissing() || etcdMissing('3.7'))('lists beside upstream’s store', () => {
  let etcd: RunningEtcd;
  let oracle: Oracle;
  let engine: Engine;
  let referee: Referee;

  beforeAll(async () => {
    etcd = await startEtcd('3.7', { quotaBytes: 8 * 1024 ** 3 });
    oracle = await Oracle.start(etcd.endpoint);
    engine = await Engine.start(etcd.endpoint);
    referee = new Referee(oracle, engine);
  });
  afterAll(async () => {
    await engine.stop();
    await oracle.stop();
    await etcd.stop();
  });

  it(
    `answers ${String(cases)} random lists alike (seed ${String(seed)})`,
    async () => {
      console.log(`referee: ${String(cases)} lists, seed ${String(seed)}`);
      const { tally } = referee;
      let fault: unknown;
      let shrinkUntil = Infinity;
      let place = 0;
      const enough = (): boolean => tally.total >= cases;
      const property = fc.asyncProperty(cluster, async (plan) => {
        const over = shrinkUntil === Infinity ? enough() : performance.now() > shrinkUntil;
        if (over || fault !== undefined) return;
        const shrinking = shrinkUntil !== Infinity;
        try {
          await new Cluster(referee, plan, `c${String(place++)}`, shrinking ? undefined : enough).play();
        } catch (error) {
          if (!(error instanceof Mismatch)) fault = error;
          else if (!shrinking) shrinkUntil = performance.now() + shrinkMs;
          throw error;
        }
      });
      const result = await fc.check(property, { seed, numRuns: cases, endOnFailure: false });
      console.log(`referee: ${String(tally.total)} lists compared\n${tally.text()}`);
      if (fault !== undefined) throw new RefereeFault('the comparison broke off', { cause: fault });
      if (result.failed) {
        const error = result.errorInstance;
        const plan = JSON.stringify(result.counterexample?.[0]);
        const text = error instanceof Error ? error.message : String(error);
        expect.fail(`seed ${String(seed)}: the engine differs from upstream\n  ${text}\n  plan: ${plan}`);
      }
      expect(tally.total).toBe(cases);
    },
    timeoutFor(cases),
  );
});
