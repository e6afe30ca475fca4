/** A query of a file as the command of another tool. */
import type { ListQuery, QueryCommands } from '../../server/protocol/model';
import type { FileRequest } from '../../server/protocol/queryFiles';
import { refused } from '../lsp/failure';
import type { LspCaller } from '../lsp/lspClient';

export type CopyForm = keyof QueryCommands;

/** As the person chooses among them. */
export const copyForms: Readonly<Record<CopyForm, string>> = {
  kubectl: 'kubectl',
  apiPath: 'API path',
  etcdctl: 'etcdctl',
  etcdList: 'etcd-list',
};

/** Throws a sentence for a list that cannot be made that way. */
export async function copyText(
  lsp: LspCaller,
  query: ListQuery,
  { follow }: FileRequest,
  form: CopyForm,
): Promise<string> {
  const commands = await lsp.request('etcdList/commands', { ...query, follow });
  if (commands[form] !== '') return commands[form];
  throw refused(
    `This list cannot be made by ${copyForms[form]}, so nothing was copied: copy it as etcd-list instead.`,
  );
}
