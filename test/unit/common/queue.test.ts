import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Queue } from '../../../server/common/queue';

type Step = { readonly push: number } | { readonly shift: number } | 'pop' | 'clear';

it('gives values as an array does, however many were taken out before', () => {
  // So many that the emptied front is cut off now and then.
  const many = fc.integer({ min: 1, max: 2500 });
  const step = fc.oneof(
    { weight: 5, arbitrary: many.map((count): Step => ({ push: count })) },
    { weight: 5, arbitrary: many.map((count): Step => ({ shift: count })) },
    fc.constantFrom<Step>('pop', 'pop', 'clear'),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
      const queue = new Queue<number>();
      let model: number[] = [];
      let next = 0;
      const taken: (number | undefined)[] = [];
      const expected: (number | undefined)[] = [];
      for (const each of steps) {
        if (each === 'pop') {
          taken.push(queue.pop());
          expected.push(model.pop());
        } else if (each === 'clear') {
          queue.clear();
          model = [];
        } else if ('push' in each) {
          for (let i = 0; i < each.push; i++) {
            queue.push(next);
            model.push(next++);
          }
        } else {
          for (let i = 0; i < each.shift; i++) taken.push(queue.shift());
          const gone = model.splice(0, each.shift);
          for (let i = 0; i < each.shift; i++) expected.push(gone[i]);
        }
        const told = [queue.length, queue.first, queue.last, queue.at(-1), queue.at(model.length)];
        expect(told).toEqual([model.length, model[0], model.at(-1), undefined, undefined]);
      }
      expect(taken.join()).toBe(expected.join());
      expect(model.map((_, i) => queue.at(i)).join()).toBe(model.join());
    }),
    { numRuns: 50 },
  );
});
