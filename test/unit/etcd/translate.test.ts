import { status } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { ConnectionConfigError } from '../../../server/etcd/configError';
import { utf8 } from '../../../server/common/bytes';
import { withDeniedRead } from '../../../server/etcd/denied';
import { describeEtcdError } from '../../../server/etcd/describe';
import { EtcdError } from '../../../server/etcd/errors';
import { translateFailure } from '../../../server/etcd/translate';

const where = { endpoint: '10.0.0.1:2379', method: 'range' } as const;
const translate = (code: number, details: string, contentType?: string) =>
  translateFailure({ code, details, contentType }, where);

describe('gRPC statuses as errors of the transport', () => {
  it.each([
    [status.OUT_OF_RANGE, 'etcdserver: mvcc: required revision has been compacted', 'compacted'],
    [status.UNKNOWN, 'etcdserver: mvcc: required revision has been compacted', 'compacted'],
    [
      status.OUT_OF_RANGE,
      'etcdserver: mvcc: required revision is a future revision',
      'futureRevision',
    ],
    [status.OUT_OF_RANGE, 'etcdserver: too large lease TTL', 'other'],
    [status.PERMISSION_DENIED, 'etcdserver: permission denied', 'permissionDenied'],
    [status.UNAUTHENTICATED, 'etcdserver: invalid auth token', 'invalidAuthToken'],
    [status.INVALID_ARGUMENT, 'etcdserver: revision of auth store is old', 'invalidAuthToken'],
    [status.INVALID_ARGUMENT, 'etcdserver: user name is empty', 'userEmpty'],
    [
      status.INVALID_ARGUMENT,
      'etcdserver: authentication failed, invalid user ID or password',
      'authentication',
    ],
    [status.INVALID_ARGUMENT, 'etcdserver: key is not provided', 'other'],
    [
      status.UNIMPLEMENTED,
      'unknown method RangeStream for service etcdserverpb.KV',
      'unimplemented',
    ],
    [status.UNIMPLEMENTED, 'Received HTTP status code 404', 'notEtcd'],
    [status.UNIMPLEMENTED, 'No message received', 'malformedReply'],
    [status.UNAUTHENTICATED, 'Received HTTP status code 401', 'notEtcd'],
    [status.PERMISSION_DENIED, 'Received HTTP status code 403', 'notEtcd'],
    [status.UNAVAILABLE, 'Received HTTP status code 503', 'unavailable'],
    [status.UNAVAILABLE, 'etcdserver: no leader', 'unavailable'],
    [status.UNAVAILABLE, 'No connection established. Last error: self-signed certificate', 'tls'],
    [status.UNAVAILABLE, 'No connection established. Last error: Protocol error', 'notEtcd'],
    [status.RESOURCE_EXHAUSTED, 'Received message larger than max (5 vs. 4)', 'replyTooLarge'],
    [
      status.RESOURCE_EXHAUSTED,
      'Received message that decompresses to a size larger than 4',
      'replyTooLarge',
    ],
    [
      status.RESOURCE_EXHAUSTED,
      'grpc: received message larger than max (2097200 vs. 2097152)',
      'other',
    ],
    [status.RESOURCE_EXHAUSTED, 'etcdserver: too many requests', 'other'],
    [status.DEADLINE_EXCEEDED, 'etcdserver: context deadline exceeded', 'deadline'],
    [status.DATA_LOSS, 'etcdserver: corrupt cluster', 'other'],
    [99, 'from the future', 'other'],
  ] as const)('status %i, %s: %s', (code, details, expected) => {
    const error = translate(code, details);
    expect(error.code).toBe(expected);
    expect(error.grpcCode).toBe(code);
    expect(error.endpoint).toBe(where.endpoint);
  });

  it('trusts no status of a reply that is not gRPC', () => {
    const message = 'Received message larger than max (1752460652 vs. 4194304)';
    expect(translate(status.RESOURCE_EXHAUSTED, message, 'text/html').code).toBe('notEtcd');
    expect(translate(status.RESOURCE_EXHAUSTED, message, 'application/grpc+proto').code).toBe(
      'replyTooLarge',
    );
  });

  it('leaves the cause of a failed connection, without wrapping and time', () => {
    const details =
      'No connection established. Last error: connect ECONNREFUSED 127.0.0.1:1 (2026-01-02T03:04:05.678Z). Resolution note: ';
    expect(translate(status.UNAVAILABLE, details).message).toBe('connect ECONNREFUSED 127.0.0.1:1');
  });
});

describe('an answer that does not come', () => {
  it("is told without the library's own notes", () => {
    const details =
      'Deadline exceeded after 3.004s,name resolution: 0.001s,metadata filters: 0.001s,time to current attempt start: 0.02s,remote_addr=127.0.0.1:1';
    expect(translate(status.DEADLINE_EXCEEDED, details).message).toBe('no answer within 3004 ms');
  });
});

describe('a refused read', () => {
  const denied = (user: string | undefined, key: string, rangeEnd?: string): string =>
    describeEtcdError(
      withDeniedRead(
        translate(status.PERMISSION_DENIED, 'etcdserver: permission denied'),
        { key: utf8(key), ...(rangeEnd !== undefined && { rangeEnd: utf8(rangeEnd) }) },
        user,
      ),
    );

  it('names user and prefix, wherever in it the read began', () => {
    const sentence =
      'The etcd user "x" may not read /registry/pods/… at 10.0.0.1:2379: ask for a role that grants reading it.';
    expect(denied('x', '/registry/pods/', '/registry/pods0')).toBe(sentence);
    expect(denied('x', '/registry/pods/web/a\0', '/registry/pods0')).toBe(sentence);
  });

  it('names a single key, and any range by its start', () => {
    expect(denied('x', '/registry/pods/web/a')).toContain(' read /registry/pods/web/a at ');
    expect(denied('x', '/a', '/z')).toContain(' read /a… at ');
    expect(denied('x', '/a', '\0')).toContain(' read /a… at ');
  });

  it('has no name for a user that a certificate stands for', () => {
    expect(denied(undefined, '/a')).toMatch(/^The user of this connection may not read \/a at /);
  });

  it('leaves other failures as they are', () => {
    const other = translate(status.UNAVAILABLE, 'x');
    expect(withDeniedRead(other, { key: utf8('/a') }, 'x')).toBe(other);
  });
});

describe('a sentence for a person', () => {
  const codes = [
    'compacted',
    'futureRevision',
    'unimplemented',
    'notEtcd',
    'unavailable',
    'deadline',
    'cancelled',
    'tls',
    'authentication',
    'permissionDenied',
    'userEmpty',
    'invalidAuthToken',
    'replyTooLarge',
    'malformedReply',
    'other',
  ] as const;

  it.each(codes)('names the endpoint and is one line: %s', (code) => {
    const text = describeEtcdError(
      new EtcdError({
        code,
        message: `bad\nthing\u001b[31m\u202e${'x'.repeat(9999)}`,
        endpoint: 'host:1',
      }),
    );
    expect(text).toContain('host:1');
    expect(text).toMatch(/^[\P{C}]+\.$/u);
    expect(text.length).toBeLessThan(600);
  });

  it('does not blame the byte budget for a request that the server finds too large', () => {
    const details = 'grpc: received message larger than max (2097200 vs. 2097152)';
    const text = describeEtcdError(translate(status.RESOURCE_EXHAUSTED, details));
    expect(text).toContain('takes no request as large as this one');
    expect(text).not.toContain('budget');
  });

  it('passes a configuration error on, and survives what is no error', () => {
    expect(describeEtcdError(new ConnectionConfigError('tls', 'Give both.'))).toBe('Give both.');
    expect(describeEtcdError('odd')).toBe('odd');
  });
});
