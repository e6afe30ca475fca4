import { readFileSync } from 'node:fs';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { certificatesMissing, makeCertificates } from '../support/certificates';
import { etcdMissing, etcdVersions, startEtcd } from '../support/etcdServer';
import type { EtcdOptions, EtcdVersion, RunningEtcd } from '../support/etcdServer';
import { EtcdWriter } from '../support/etcdWriter';
import { waitFor } from '../support/waitFor';

async function start(version: EtcdVersion, options?: EtcdOptions): Promise<RunningEtcd> {
  const etcd = await startEtcd(version, options);
  onTestFinished(() => etcd.stop());
  return etcd;
}

describe.each(etcdVersions)('etcd %s of the tests', (version) => {
  describe.skipIf(etcdMissing(version))('on this machine', () => {
    it('is of that version and takes raw bytes, batches, deletes and compactions', async () => {
      const etcd = await start(version);
      const metrics = await (await fetch(`${etcd.metricsUrl}/metrics`)).text();
      expect(metrics.includes(`server_version="${version}.`)).toBe(true);

      const { writer } = etcd;
      expect(await writer.put(Uint8Array.of(0, 0xff), Uint8Array.of(0xc3, 0x28))).toBe(2n);
      const entries = Array.from({ length: 2500 }, (_, i) => [`/a/${i}`, 'x'] as const);
      expect(await writer.bulkLoad(entries)).toBe(27n);
      expect(
        await writer.txn([
          ['/b', '1'],
          ['/c', '2'],
        ]),
      ).toBe(28n);
      expect(await writer.delete('/b')).toBe(29n);
      expect(await writer.deletePrefix('/a/')).toBe(30n);
      await writer.compact(30n);
      expect(await writer.revision()).toBe(30n);
    });

    it('stands still when paused, loses nothing when killed and restarted', async () => {
      const etcd = await start(version);
      await etcd.writer.put('/a', '1');
      const silence = () =>
        fetch(`${etcd.metricsUrl}/health`, { signal: AbortSignal.timeout(300) }).then(
          () => undefined,
          () => 'silent',
        );
      await etcd.pause();
      const held = etcd.writer.put('/a', '2');
      expect(await Promise.race([held.then(() => 'answered'), silence()])).toBe('silent');
      etcd.resume();
      expect(await held).toBe(3n);

      await etcd.kill();
      await expect(fetch(etcd.metricsUrl)).rejects.toThrow();
      await etcd.restart();
      const after = await waitFor(() => etcd.writer.revision(), { timeoutMs: 20_000 });
      expect(after).toBe(3n);
    });

    it('asks for a password once authentication is on', async () => {
      const etcd = await start(version, {
        auth: { rootPassword: 'r', users: [{ name: 'u', password: 'p', readPrefix: '/a/' }] },
      });
      expect(await etcd.writer.put('/a/1', '1')).toBe(2n);
      for (const auth of [undefined, { username: 'u', password: 'p' }]) {
        const other = new EtcdWriter({ endpoint: etcd.url, ...(auth && { auth }) });
        await expect(other.put('/a/1', '2')).rejects.toThrow();
        other.close();
      }
    });
  });
});

describe.skipIf(etcdMissing('3.6') || certificatesMissing())('etcd over TLS', () => {
  it('asks for a certificate that its CA signed', async () => {
    const certificates = makeCertificates();
    onTestFinished(() => {
      certificates.remove();
    });
    const etcd = await start('3.6', { tls: { certificates, mode: 'mutual' } });
    expect(await etcd.writer.put('/a', '1')).toBe(2n);

    const shake = (ca: string, client: boolean): Promise<unknown> => {
      const [host, port] = etcd.endpoint.split(':');
      const socket = connectTls({
        host,
        port: Number(port),
        ca: readFileSync(ca),
        ALPNProtocols: ['h2'],
        ...(client && {
          cert: readFileSync(certificates.clientCert),
          key: readFileSync(certificates.encryptedClientKey),
          passphrase: certificates.passphrase,
        }),
      });
      return new Promise((resolve, reject) => {
        // A server that speaks HTTP/2 greets with its settings; one that refused us closes.
        socket.once('data', () => {
          resolve('greeted');
        });
        socket.once('close', () => {
          resolve('closed');
        });
        socket.once('error', reject);
      }).finally(() => socket.destroy());
    };
    await expect(shake(certificates.ca, true)).resolves.toBe('greeted');
    await expect(shake(certificates.wrongCa, true)).rejects.toThrow(/certificate|signature/);
    await expect(shake(certificates.ca, false)).rejects.toThrow(/certificate|alert/);
  });
});
