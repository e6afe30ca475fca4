import { describe, expect, it } from 'vitest';
import { parseArgs } from '../../../server/cli/args/parse';
import type { GetPlan, Plan } from '../../../server/cli/args/plan';
import { CliError } from '../../../server/cli/exit';

type Env = Record<string, string>;

function parse(line: string | string[], env: Env = {}): Plan {
  const argv = typeof line === 'string' ? line.split(' ') : line;
  const parsed = parseArgs(argv, { env, version: '1.2.3', width: 100 });
  if (parsed.kind === 'text') throw new Error(`text instead of a plan: ${parsed.text}`);
  return parsed.plan;
}

function get(line: string | string[], env: Env = {}): GetPlan {
  const plan = parse(line, env);
  if (plan.command !== 'get') throw new Error(plan.command);
  return plan;
}

function refusal(line: string | string[], env: Env = {}): string {
  try {
    parse(line, env);
  } catch (error) {
    expect(error).toBeInstanceOf(CliError);
    expect((error as CliError).exitCode).toBe(2);
    return (error as CliError).message;
  }
  throw new Error('was accepted');
}

describe('get', () => {
  it('follows pages of 500 when nothing is said', () => {
    const plan = get('get pods');
    expect(plan.target).toEqual({ kind: 'resource', resource: 'pods', name: undefined });
    expect(plan.paging).toEqual({ kind: 'chunks', size: 500n });
    expect(plan.namespace).toBeUndefined();
    expect([plan.output, plan.receipt, plan.stream]).toEqual(['table', 'text', 'auto']);
  });

  it('takes flags in every form that kubectl takes', () => {
    for (const line of [
      ['get', 'pods', '-n', 'web', '-l', 'app=nginx', '-o', 'json'],
      ['get', 'pods', '-n=web', '-l=app=nginx', '-o=json'],
      ['get', 'pods', '-nweb', '-lapp=nginx', '-ojson'],
      ['get', '--namespace=web', '--selector=app=nginx', '--output=json', 'pods'],
      ['get', '--namespace', 'web', '--selector', 'app=nginx', '--output', 'json', 'pods'],
    ]) {
      const plan = get(line);
      expect([plan.namespace, plan.labelSelector, plan.output], line.join(' ')).toEqual([
        'web',
        'app=nginx',
        'json',
      ]);
    }
  });

  it('lists from a watch cache when told to, with a limit', () => {
    expect(get('get pods')).toMatchObject({ serveFrom: { kind: 'etcd' } });
    const cached = 'get pods --serve-from=watch-cache';
    expect(get(cached)).toMatchObject({
      serveFrom: { kind: 'watch-cache', limitBytes: 512 * 1024 * 1024 },
    });
    expect(get(`${cached} --watch-cache-limit=64MiB`)).toMatchObject({
      serveFrom: { limitBytes: 64 * 1024 * 1024 },
    });
  });

  it.each([
    ['pods --serve-from=cache', '--serve-from "cache" is none of etcd, watch-cache'],
    ['pods --watch-cache-limit=1MiB', 'goes with --serve-from=watch-cache'],
    [
      'pods --serve-from=watch-cache --watch-cache-limit=much',
      '--watch-cache-limit "much" is not a size',
    ],
    ['pods --serve-from=watch-cache --skip-unreadable', '--skip-unreadable does not go with'],
    ['pods --serve-from=watch-cache --explain', '--explain does not go with'],
  ])('refuses %s', (line, why) => {
    expect(refusal(`get ${line}`)).toContain(why);
  });

  it('lets -A win over -n, and takes booleans with a value', () => {
    expect(get('get pods -A -n web').namespace).toBeUndefined();
    expect(get('get pods --all-namespaces=true -n web').namespace).toBeUndefined();
    expect(get('get pods --all-namespaces=false -n web').namespace).toBe('web');
  });

  it('tells one LIST from pages to the end', () => {
    expect(get('get pods --limit 7').paging).toEqual({ kind: 'limit', limit: 7n, follow: false });
    expect(get('get pods --limit=7 --follow').paging).toMatchObject({ follow: true });
    expect(get('get pods --chunk-size=0').paging).toEqual({ kind: 'chunks', size: 0n });
    expect(refusal('get pods --limit 7 --chunk-size 3')).toContain('exclude each other');
  });

  it.each([
    ['get pods --limit -5', '--limit -5 is negative'],
    ['get pods --limit ten', '--limit "ten" is not a number'],
    ['get pods --limit 1.5', '--limit "1.5" is not a number'],
    ['get pods --limit 9223372036854775808', 'is too large'],
    ['get pods --chunk-size -1', '--chunk-size -1 is negative'],
    ['get pods -o jsn', 'did you mean json?'],
    ['get pods --stream sometimes', 'is none of auto, on, off, force'],
    ['get pods --receipt xml', 'is none of text, json'],
    ['get pods --lmit 3', 'unknown flag --lmit; did you mean --limit? See "etcd-list get --help"'],
    ['get pods --slector=a=b', 'did you mean --selector?'],
    ['get pods --frobnicate', 'unknown flag --frobnicate; see'],
    ['get pods -z', 'unknown flag -z; see'],
    ['get', 'get needs a resource'],
    ['get pods,services', 'names several resources'],
    ['get pods a b', 'one name too many'],
    ['get pods/a b', 'one name too many'],
    ['get pods/a/b', 'is not RESOURCE'],
    ['get /registry/pods/ web-1', 'is a prefix'],
    ['get pods web-1 -l a=b', '--selector does not go with a name'],
    ['get pods web-1 -A', '--all-namespaces does not go with a name'],
    ['get pods -n a/b', 'is not the name of a namespace'],
    ['get pods --dial-timeout fast', 'is not a duration'],
    ['get pods --byte-budget much', 'is not a size'],
    ['get pods --cert c.pem', '--cert is given without --key'],
    ['get pods --key k.pem', '--key is given without --cert'],
    ['get pods --password-file f', '--password-file is given without --user'],
    ['get pods --endpoints ,', 'names no endpoint'],
    ['--endpoints x get pods', '--endpoints goes after the command it belongs to'],
    ['gte pods', 'unknown command "gte"; did you mean get?'],
    ['probe now', 'too many arguments'],
    ['token', 'no command is given; see "etcd-list token --help"'],
    ['token decode', 'TOKEN is missing'],
    ['token encode --start x', 'needs --rv'],
    ['token encode --rv 0 --start x', 'is not a revision'],
    ['token encode --rv 1', 'needs --start KEY, or --key FULLKEY with --prefix PREFIX'],
    ['token encode --rv 1 --start x --key y', 'exclude each other'],
    ['token check x --prefix registry', 'does not start with a slash'],
    ['demo --pods -1', '--pods -1 is negative: give how many pods'],
    ['demo --port -1', '--port -1 is negative: give a port up to 65535, or 0 for any'],
    ['demo --seed -1', '--seed -1 is negative: give a number from 0'],
    ['token encode --rv 1 --start /a', '--start "/a" begins with a slash: give the key below'],
    ['demo --port 70000', 'is no port'],
    ['demo -- demo', 'a demo inside a demo is refused'],
  ])('%s is refused', (line, sentence) => {
    expect(refusal(line)).toContain(sentence);
  });

  it('needs a value behind a flag that takes one', () => {
    expect(refusal(['get', 'pods', '-l'])).toBe(
      '--selector needs a value; see "etcd-list get --help"',
    );
  });

  it('says that no command is given', () => {
    expect(refusal([])).toBe('no command is given; see "etcd-list --help"');
  });

  it.each(['', '/', '//', ' '])('refuses the empty prefix %j', (prefix) => {
    expect(refusal(['get', prefix])).toContain('an empty prefix would read every key');
  });
});

describe('connection', () => {
  it('has etcdctl defaults', () => {
    expect(get('get pods').connection).toMatchObject({
      endpoints: ['127.0.0.1:2379'],
      dialTimeoutMs: 2000,
      commandTimeoutMs: 60_000,
      root: '/registry',
      serializable: false,
      skipVerify: false,
      insecureTransport: undefined,
    });
  });

  it('reads the ETCDCTL variables, and flags win over them', () => {
    const env = {
      ETCDCTL_ENDPOINTS: 'a:1, b:2',
      ETCDCTL_CACERT: 'ca',
      ETCDCTL_CERT: 'cert',
      ETCDCTL_KEY: 'key',
      ETCDCTL_INSECURE_SKIP_TLS_VERIFY: 'true',
      ETCDCTL_INSECURE_TRANSPORT: 'false',
      ETCDCTL_USER: 'root',
      ETCDCTL_PASSWORD: 'p:w',
      ETCDCTL_DIAL_TIMEOUT: '1m30s',
      ETCDCTL_COMMAND_TIMEOUT: '250ms',
    };
    expect(get('get pods', env).connection).toMatchObject({
      endpoints: ['a:1', 'b:2'],
      cacert: 'ca',
      cert: 'cert',
      key: 'key',
      skipVerify: true,
      insecureTransport: false,
      user: 'root',
      password: 'p:w',
      dialTimeoutMs: 90_000,
      commandTimeoutMs: 250,
    });
    const flagged = get('get pods --endpoints c:3 --cacert other --dial-timeout 1s', env);
    expect(flagged.connection).toMatchObject({
      endpoints: ['c:3'],
      cacert: 'other',
      dialTimeoutMs: 1000,
    });
  });

  it('takes name:password from the variable only', () => {
    const { connection } = get('get pods', { ETCDCTL_USER: 'root:se:cret' });
    expect([connection.user, connection.password]).toEqual(['root', 'se:cret']);
    const sentence = refusal('get pods --user root:secret');
    expect(sentence).toContain('--user takes the name alone');
    expect(sentence).not.toContain('secret');
  });

  it.each(['get pods --password hunter2', 'probe --password=hunter2'])(
    'refuses %s and does not repeat it',
    (line) => {
      const sentence = refusal(line);
      expect(sentence).toContain('--password is refused: arguments show in process lists');
      expect(sentence).not.toContain('hunter2');
    },
  );

  it('refuses --password without a value for the same reason', () => {
    expect(refusal('get pods --password')).toContain('--password is refused: arguments show');
  });

  it.each([
    '--endpoints',
    '--cacert',
    '--cert',
    '--key',
    '--user',
    '--password-file',
    '--root',
    '--dial-timeout',
    '--command-timeout',
  ])('refuses an empty %s, which is not an absent one', (flag) => {
    const env = { ETCDCTL_ENDPOINTS: 'a:1', ETCDCTL_DIAL_TIMEOUT: '1s', ETCDCTL_USER: 'root' };
    expect(refusal(['get', 'pods', flag, ''], env)).toContain(`${flag} is empty: `);
  });

  it.each([
    ['get', 'pods', '-o', 'a\nb\x1b[2J'],
    ['get', 'a\nb/c/d'],
    ['get', 'pods', '--limit', '1\n2'],
    ['get', 'pods', '--stream', 'x\n'],
    ['get', 'pods', '--chunk-size', '\x1b'],
    ['get', 'pods', '--command-timeout', '5\n'],
    ['demo', '--pods', '9\n'],
    ['token', 'encode', '--start', '/a\nb', '--rv', '1'],
  ])('says on one line what is wrong with arguments of several: %j', (...args) => {
    expect(refusal(args)).toMatch(/^[\x20-\x7e\u2026]+$/);
  });

  it('takes an empty variable for none', () => {
    expect(get('get pods', { ETCDCTL_ENDPOINTS: '' }).connection.endpoints).toEqual([
      '127.0.0.1:2379',
    ]);
  });

  it.each([
    [{ ETCDCTL_ENDPOINTS: ',' }, 'ETCDCTL_ENDPOINTS "," names no endpoint'],
    [{ ETCDCTL_DIAL_TIMEOUT: 'fast' }, 'ETCDCTL_DIAL_TIMEOUT "fast" is not a duration'],
    [{ ETCDCTL_COMMAND_TIMEOUT: '5' }, 'ETCDCTL_COMMAND_TIMEOUT "5" is not a duration'],
    [{ ETCDCTL_CERT: 'c' }, 'ETCDCTL_CERT is given without --key'],
    [{ ETCDCTL_KEY: 'k' }, 'ETCDCTL_KEY is given without --cert'],
  ])('blames the variable of %j', (env, sentence) => {
    expect(refusal('get pods', env as Env)).toContain(sentence);
  });

  it('blames the flag that wins over a variable', () => {
    expect(refusal('get pods --dial-timeout fast', { ETCDCTL_DIAL_TIMEOUT: 'slow' })).toContain(
      '--dial-timeout "fast" is not',
    );
  });

  it('reads --insecure-transport with and without a value', () => {
    expect(get('get pods --insecure-transport').connection.insecureTransport).toBe(true);
    expect(get('get pods --insecure-transport=false').connection.insecureTransport).toBe(false);
    expect(get('get pods --insecure-transport=true').connection.insecureTransport).toBe(true);
  });

  it('reads sizes', () => {
    expect(get('get pods --byte-budget 64MiB').connection.byteBudget).toBe(64 * 1024 * 1024);
    expect(get('get pods --byte-budget 1048576').connection.byteBudget).toBe(1_048_576);
  });

  it('refuses a variable that is neither true nor false', () => {
    expect(refusal('get pods', { ETCDCTL_INSECURE_TRANSPORT: 'maybe' })).toContain(
      'ETCDCTL_INSECURE_TRANSPORT is "maybe"',
    );
  });
});

describe('demo', () => {
  it('keeps everything after -- for the command', () => {
    expect(parse('demo --pods 20 --no-range-stream -- get pods -l app=x --limit=3')).toEqual({
      command: 'demo',
      pods: 20,
      seed: 1,
      port: 0,
      rangeStream: false,
      run: ['get', 'pods', '-l', 'app=x', '--limit=3'],
    });
  });
});

describe('token', () => {
  it('starts right after the last key', () => {
    expect(parse('token encode --rv 5 --key /registry/pods/a/b --prefix /registry/pods')).toEqual({
      command: 'token encode',
      revision: 5n,
      key: '/registry/pods/a/b\0',
      prefix: '/registry/pods/',
    });
  });
});

describe('help and version', () => {
  it.each([
    ['--help', 'Usage: etcd-list'],
    ['get --help', 'Examples:'],
    ['token decode -h', 'Example:'],
    ['help probe', 'Usage: etcd-list probe'],
    ['--version', '1.2.3'],
  ])('%s is text', (line, expected) => {
    const parsed = parseArgs(line.split(' '), { env: {}, version: '1.2.3', width: 100 });
    expect(parsed.kind === 'text' && parsed.text).toContain(expected);
  });
});

describe('run', () => {
  it('needs a file, and takes names', () => {
    expect(refusal('run')).toContain('FILE is missing');
    expect(parse('run x.etcdlist a b')).toMatchObject({
      command: 'run',
      file: 'x.etcdlist',
      names: ['a', 'b'],
      namespace: 'default',
      output: 'table',
      receipt: 'text',
      keepGoing: false,
      connectionWords: [],
    });
  });

  it('refuses what is no value of its flags', () => {
    expect(refusal('run x -o jsn')).toContain('did you mean json?');
    expect(refusal('run x --receipt=yaml')).toContain('--receipt "yaml" is none of text, json');
    expect(refusal('run x -n a/b')).toBe('--namespace "a/b" is not the name of a namespace');
    expect(refusal('run x --keepgoing')).toContain('did you mean --keep-going?');
  });

  it('keeps the connection flags as they were given', () => {
    const plan = parse(
      'run - --endpoints a:1,b:2 --insecure-transport=false --serializable --user u --root=/r',
      { ETCDCTL_CACERT: 'ca.pem' },
    );
    expect(plan).toMatchObject({
      connectionWords: [
        '--endpoints=a:1,b:2',
        '--insecure-transport=false',
        '--user=u',
        '--root=/r',
        '--serializable',
      ],
      connection: { endpoints: ['a:1', 'b:2'], insecureTransport: false, cacert: 'ca.pem' },
    });
  });
});

describe('lint', () => {
  it('needs files, and refuses what is no value of its flags', () => {
    expect(refusal('lint')).toContain('FILE is missing');
    expect(refusal('lint x -o yaml')).toContain('--output "yaml" is none of text, json, sarif');
    expect(refusal('lint x --severity=errors')).toContain('did you mean error?');
    expect(parse('lint a - b --severity warning')).toEqual({
      command: 'lint',
      paths: ['a', '-', 'b'],
      output: 'text',
      severity: 'warning',
    });
  });
});
