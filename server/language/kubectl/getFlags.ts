/**
 * Flags of `kubectl get`.
 *
 * Upstream (Kubernetes 1.37): `NewCmdGet` and its print flags in `kubectl/pkg/cmd/get`, `ConfigFlags`
 * of `cli-runtime/pkg/genericclioptions`, logging and profiling flags of kubectl itself.
 */
import {
  access,
  CONNECTED,
  idle,
  PRINTED,
  refused,
  silent,
  stated,
  type Flag,
} from '../shell/flags';

const WATCH = 'A watch is not run here: leave it out to run its initial list.';
const FILES = 'Files are not read here: name a resource.';

export const GET_FLAGS: readonly Flag[] = [
  stated('-n --namespace', 'namespace', 'one namespace'),
  stated('-A --all-namespaces', 'switch', 'all namespaces; wins over -n'),
  stated('-l --selector', 'labels', 'label selector'),
  stated('--field-selector', 'fields', 'field selector'),
  stated('--chunk-size', 'int', 'pages of so many objects (500); 0 is one unlimited read'),
  stated('--raw', 'url', 'exactly this request, as GET makes it'),
  stated('--sort-by', 'text', 'everything is read at once, as kubectl does to sort'),
  idle('-o --output', 'text', 'form of the output', PRINTED),
  idle('--template', 'text', 'template of the output', PRINTED),
  silent('-L --label-columns', 'text', 'labels to show as columns'),
  silent('--show-labels', 'switch', 'show labels'),
  silent('--show-kind', 'switch', 'show kinds'),
  silent('--show-managed-fields', 'switch', 'show managed fields'),
  silent('--no-headers', 'switch', 'no headers'),
  silent('--allow-missing-template-keys', 'switch', 'pass over missing keys of templates'),
  silent('--server-print', 'switch', 'let the server make the table'),
  silent('--ignore-not-found', 'switch', 'a missing object is no error'),
  refused('-w --watch', 'switch', 'watch after listing', WATCH),
  refused('--watch-only', 'switch', 'watch without listing', WATCH),
  refused('--output-watch-events', 'switch', 'print watch events', WATCH),
  refused('-f --filename', 'text', 'files that name objects', FILES),
  refused('-k --kustomize', 'text', 'a kustomization that names objects', FILES),
  refused('-R --recursive', 'switch', 'files below a folder', FILES),
  refused(
    '--subresource',
    'text',
    'a part of an object',
    'A subresource is not stored by itself: leave it out to read the object.',
  ),
  access('context', 'context of the kubeconfig file'),
  access('kubeconfig', 'kubeconfig file'),
  access('kuberc', 'file of preferences'),
  access('cluster', 'cluster of the kubeconfig file'),
  access('user', 'user of the kubeconfig file'),
  idle('-s --server', 'text', 'address of the API server', CONNECTED),
  access('as', 'user to act as'),
  access('as-group', 'group to act as'),
  access('as-uid', 'uid to act as'),
  access('as-user-extra', 'extra of the user to act as'),
  access('token', 'bearer token'),
  access('username', 'user name'),
  access('password', 'password'),
  access('certificate-authority', 'authority of the server'),
  access('client-certificate', 'certificate of the client'),
  access('client-key', 'key of the client'),
  access('tls-server-name', 'name in the certificate of the server'),
  idle('--insecure-skip-tls-verify', 'switch', 'accept any certificate', CONNECTED),
  access('request-timeout', 'longest time of a request'),
  access('cache-dir', 'folder of the cache'),
  silent('--disable-compression', 'switch', 'no compression'),
  silent('--match-server-version', 'switch', 'refuse another version of the server'),
  silent('--warnings-as-errors', 'switch', 'fail on warnings'),
  silent('--profile', 'text', 'profile to write'),
  silent('--profile-output', 'text', 'file of the profile'),
  silent('--log-flush-frequency', 'text', 'time between flushes of the log'),
  silent('-v --v', 'text', 'level of the log'),
  silent('--vmodule', 'text', 'levels of the log by file'),
];
