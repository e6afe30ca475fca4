/** Flags of `list`: those of `etcd-list get`, where they say what is requested. */
import { idle, refused, silent, stated, type Flag } from '../shell/flags';

const PRINTED = 'What is printed is chosen where the query runs: this flag has no effect here.';
const CONNECTED = 'The connected etcd is read: this flag has no effect here.';

const access = (name: string, about: string): Flag => idle(`--${name}`, 'text', about, CONNECTED);

export const LIST_FLAGS: readonly Flag[] = [
  stated('-n --namespace', 'namespace', 'one namespace; without it all are listed'),
  stated('-A --all-namespaces', 'switch', 'all namespaces, the default; wins over -n'),
  stated('-l --selector', 'labels', 'label selector'),
  stated('--field-selector', 'fields', 'field selector'),
  stated('--limit', 'whole', 'at most so many objects; without it all in one read'),
  stated('--follow', 'switch', 'with --limit: go on through all continue tokens'),
  stated('--continue', 'token', 'start where this continue token says'),
  stated('--resource-version', 'version', 'read at, or not before, this resource version'),
  stated('--resource-version-match', 'match', 'Exact or NotOlderThan'),
  stated('--stream', 'stream', 'RangeStream: auto as the API server, on or off'),
  stated('--skip-unreadable', 'switch', 'leave out objects that cannot be read, and name them'),
  refused(
    '--chunk-size',
    'whole',
    'pages to the end',
    'list makes the one request that it states: write --limit, and --follow to go on to the end.',
  ),
  idle('-o --output', 'text', 'form of the output', PRINTED),
  idle('--receipt', 'text', 'form of the receipt', PRINTED),
  silent('--show-secrets', 'switch', 'show the values of Secrets'),
  access('endpoints', 'members of the etcd'),
  access('cacert', 'authority of the server'),
  access('cert', 'certificate of the client'),
  access('key', 'key of the client'),
  access('user', 'etcd user'),
  access('password-file', 'file of the password'),
  access('dial-timeout', 'time to reach an endpoint'),
  access('command-timeout', 'time of one read'),
  access('root', 'storage root'),
  access('byte-budget', 'largest reply'),
  idle('--insecure-skip-tls-verify', 'switch', 'accept any certificate', CONNECTED),
  idle('--insecure-transport', 'switch', 'no TLS', CONNECTED),
  idle('--serializable', 'switch', 'let one member answer alone', CONNECTED),
];
