import { describe, expect, it } from 'vitest';
import { utf8, utf8Lossy } from '../../../server/common/bytes';
import { StoreError } from '../../../server/store/errors';
import { changeOf } from '../../../server/store/watchEvents';
import { created, deleted, modified } from '../../support/scriptedWatch';

describe('an event of etcd', () => {
  it('is a creation when the key was made by it', () => {
    expect(changeOf(created('/a', 5n, 'v'))).toEqual({
      type: 'created',
      key: utf8('/a'),
      value: utf8('v'),
      previous: undefined,
      revision: 5n,
    });
  });

  it('is a change with the value before', () => {
    const change = changeOf(modified('/a', 7n, 5n));
    expect(change).toMatchObject({ type: 'modified', revision: 7n });
    expect(utf8Lossy(change.value)).toBe('/a@7');
    expect(change.previous).toEqual({ value: utf8('/a@5'), modRevision: 5n });
  });

  it('is a deletion with the value that is gone, at the revision of the deletion', () => {
    const change = changeOf(deleted('/a', 9n, 7n));
    expect(change).toMatchObject({ type: 'deleted', revision: 9n });
    expect(utf8Lossy(change.value)).toBe('/a@7');
    expect(change.previous?.modRevision).toBe(7n);
  });

  it.each([
    ['PUT', modified('/a"', 7n, 5n)],
    ['DELETE', deleted('/a"', 7n, 5n)],
  ])(
    "%s without the value before is an error in upstream's words",
    (type, { prevKv, ...event }) => {
      expect(prevKv).toBeDefined();
      const message = `etcd event received with PrevKv=nil (key="/a\\"", modRevision=7, type=${type})`;
      let thrown: unknown;
      try {
        changeOf(event);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(StoreError);
      expect(thrown).toMatchObject({
        code: 'internal',
        status: 500,
        reason: 'InternalError',
        message: `Internal error occurred: ${message}`,
        causes: [{ message }],
      });
    },
  );
});
