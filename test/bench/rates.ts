/** Small pieces of work, repeated for a time: how often a second they are done. */
import { utf8 } from '../../server/common/bytes';
import { decodeObject } from '../../server/kube/decode/object';
import { parseLabelSelector } from '../../server/kube/selectors';
import { selectableFieldsOf } from '../../server/kube/fields/selectableFields';
import { decodeContinue } from '../../server/store/continueToken';
import type { RateWork } from './work';

const batch = 200;

/** Runs a second time what has run once, since the first run is compiled on the way. */
export function rateOf(work: RateWork): number {
  const step = stepOf(work);
  perSecond(step, work.seconds / 2);
  return perSecond(step, work.seconds);
}

function perSecond(step: () => void, seconds: number): number {
  const started = performance.now();
  let count = 0;
  let elapsed: number;
  do {
    for (let i = 0; i < batch; i++) step();
    count += batch;
    elapsed = performance.now() - started;
  } while (elapsed < seconds * 1000);
  return (count * 1000) / elapsed;
}

function stepOf({ mode, text, labels, prefix, value }: RateWork): () => void {
  switch (mode) {
    case 'labels':
      return () => {
        parseLabelSelector(text);
      };
    case 'match': {
      const selector = parseLabelSelector(text);
      const set = new Map(labels);
      return () => {
        if (!selector.matches(set)) throw new Error(`${text} does not match`);
      };
    }
    case 'token': {
      const keyPrefix = utf8(prefix);
      return () => {
        decodeContinue(text, keyPrefix);
      };
    }
    case 'decode': {
      const fields = selectableFieldsOf({ group: '', resource: 'pods' }, true);
      const bytes = Buffer.from(value, 'base64');
      return () => {
        // Metadata is what a list reads of each object that a look at its bytes does not reject.
        if (decodeObject(bytes, fields).metadata.labels.size === 0) throw new Error('no labels');
      };
    }
  }
}
