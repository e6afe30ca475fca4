/** Continue tokens as an API server writes them, and as an attacker would. */
export function token(fields: { readonly rv: number; readonly start: string }): string {
  const json = JSON.stringify({ v: 'meta.k8s.io/v1', ...fields });
  return Buffer.from(json).toString('base64url');
}

export const goodToken = token({ rv: 84_213, start: 'web/nginx-009900\u0000' });
export const traversalToken = token({ rv: 84_213, start: '../secrets/' });

/** What the inspector says of a token whose revision no etcd was asked about, or that it has not reached. */
export const wellFormed = 'Well formed: the API server takes it while etcd has its revision';

export const tokenFiles = {
  'list.yaml': `kind: List\nmetadata:\n  continue: ${goodToken}\n`,
  'list.json': `{ "metadata": { "continue": "${goodToken}" } }\n`,
  'audit.log': `I1130 GET /api/v1/pods?limit=500&continue=${goodToken} 200\n`,
  'notes.txt': `the page after this one: ${goodToken}\n`,
  'query.etcdlist': `GET /api/v1/pods?limit=100&continue=${goodToken}\n`,
  'attack.yaml': `metadata:\n  continue: ${traversalToken}\n`,
} as const;
