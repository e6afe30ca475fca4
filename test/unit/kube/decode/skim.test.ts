import { describe, expect, it } from 'vitest';
import { utf8 } from '../../../../server/common/bytes';
import { DecodeError } from '../../../../server/kube/decode/errors';
import { emptyMetadata, readObjectMeta } from '../../../../server/kube/decode/metadata';
import { isPlainlySound } from '../../../../server/kube/decode/skim';
import { WireReader, WireType } from '../../../../server/kube/decode/wire';
import { WireLabels } from '../../../../server/kube/decode/wireLabels';
import { corpusEntries } from '../../../bench/corpus';
import { openEnvelope } from '../../../../server/kube/decode/envelope';
import { Random } from '../../../../server/demo/seedRandom';

function pod(): Uint8Array {
  const [first] = corpusEntries({ root: '/registry', pods: 1, size: 'small' });
  if (first === undefined) throw new Error('no Pod');
  return Uint8Array.from(openEnvelope(first[1]).raw);
}

/** What the readers say: the error's text, or the labels. */
function read(raw: Uint8Array): string | Map<string, string> {
  try {
    const metadata = emptyMetadata();
    const reader = new WireReader(raw);
    while (reader.next('Pod')) {
      if (reader.field !== 1) reader.skip();
      else {
        reader.expect(WireType.bytes, 'ObjectMeta');
        readObjectMeta(reader.message(), metadata);
      }
    }
    return metadata.labels;
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

function expectAgreement(raw: Uint8Array): 'sound' | 'unusual' | 'damaged' {
  const read_ = read(raw);
  if (typeof read_ === 'string') {
    expect(isPlainlySound(raw)).toBe(false);
    return 'damaged';
  }
  if (!isPlainlySound(raw)) return 'unusual';
  const labels = new WireLabels(raw, { metadata: { labels: read_ } });
  for (const [key, value] of read_) expect(labels.get(key)).toBe(value);
  expect(labels.get('absent')).toBe(read_.get('absent'));
  return 'sound';
}

describe('an object that is looked over instead of read', () => {
  it('is plainly sound as Kubernetes writes it', () => {
    expect(isPlainlySound(pod())).toBe(true);
    expect(expectAgreement(pod())).toBe('sound');
  });

  it('has the verdict, the error and the labels that reading gives, whatever byte is changed', () => {
    const random = new Random(7);
    const found = { sound: 0, unusual: 0, damaged: 0 };
    for (let i = 0; i < 2000; i++) {
      const raw = pod();
      for (let n = random.below(3); n >= 0; n--) raw[random.below(1200)] = random.below(256);
      found[expectAgreement(raw)]++;
    }
    expect(found.sound).toBeGreaterThan(200);
    expect(found.damaged).toBeGreaterThan(200);
  });

  it('has them when it ends early', () => {
    const whole = pod();
    for (let length = 0; length < 1200; length++) expectAgreement(whole.slice(0, length));
  });

  it('merges labels of several metadata, the last of a key counting', () => {
    const meta = (value: string): number[] => {
      const text = [...utf8(value)];
      const entry = [0x0a, 1, 0x61, 0x12, text.length, ...text];
      return [0x0a, entry.length + 2, 0x5a, entry.length, ...entry];
    };
    const raw = Uint8Array.from([...meta('one'), ...meta('two')]);
    expect(expectAgreement(raw)).toBe('sound');
    expect(read(raw)).toEqual(new Map([['a', 'two']]));
  });
});
