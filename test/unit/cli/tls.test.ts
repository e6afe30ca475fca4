/** What helps when TLS fails, on connections that really do. */
import { readFileSync } from 'node:fs';
import { ServerCredentials } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { explain } from '../../../server/cli/sentences';
import { utf8 } from '../../../server/common/bytes';
import { connect, type ConnectionConfig } from '../../../server/etcd/connect';
import {
  certificatesMissing,
  makeCertificates,
  type Certificates,
} from '../../support/certificates';
import { startFakeEtcd } from '../etcd/fakeEtcd';

describe.skipIf(certificatesMissing())('a TLS failure', () => {
  let files: Certificates;
  const closers: (() => void)[] = [];
  beforeAll(() => {
    files = makeCertificates();
  });
  afterEach(() => {
    for (const close of closers.splice(0)) close();
  });
  afterAll(() => {
    files.remove();
  });
  const read = (path: string) => readFileSync(path);

  async function serving(credentials?: ServerCredentials): Promise<string> {
    const server = await startFakeEtcd({ range: () => ({}) }, credentials);
    closers.push(() => {
      server.stop();
    });
    return server.endpoint;
  }

  function secure(mutual: boolean): Promise<string> {
    const pair = { private_key: read(files.serverKey), cert_chain: read(files.serverCert) };
    const ca = mutual ? read(files.ca) : null;
    return serving(ServerCredentials.createSsl(ca, [pair], mutual));
  }

  async function sentence(config: ConnectionConfig): Promise<string> {
    const reader = connect(config);
    closers.push(() => {
      reader.close();
    });
    const failure: unknown = await reader
      .range({ key: utf8('/a') })
      .catch((error: unknown) => error);
    return explain(failure).text;
  }

  it('of a server that cannot be verified names --cacert', async () => {
    const endpoint = await secure(false);
    for (const tls of [{}, { rootCertificate: read(files.wrongCa) }]) {
      expect(await sentence({ endpoints: [endpoint], tls })).toContain('with --cacert.');
    }
  });

  it('of a server that wants a certificate names --cert and --key', async () => {
    const tls = { rootCertificate: read(files.ca) };
    expect(await sentence({ endpoints: [await secure(true)], tls })).toContain('--cert and --key.');
  });

  it('of plain text to a TLS port names https:// and the flag', async () => {
    const said = await sentence({ endpoints: [await secure(false)] });
    expect(said).toContain('https:// before the endpoint, or give --insecure-transport=false');
  });

  it('of TLS to a plain port names http://', async () => {
    const tls = { rootCertificate: read(files.ca) };
    expect(await sentence({ endpoints: [await serving()], tls })).toContain(
      'write http:// instead',
    );
  });

  it('of another name says so', async () => {
    const tls = { rootCertificate: read(files.ca), serverName: 'etcd.example' };
    const said = await sentence({ endpoints: [await secure(false)], tls });
    expect(said).toContain('a name or address that its certificate holds');
  });
});
