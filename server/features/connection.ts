/** Requests about the connection: connect, demo, disconnect, status, probe, gate. */
import type { Clock } from '../common/clock';
import type { Log } from '../common/log';
import { createFeatureChecker } from '../etcd/features';
import type { EtcdReader } from '../etcd/interfaces';
import { DEFAULT_ROOT } from '../kube/resources/resources';
import type { ConnectParams } from '../protocol/model';
import { accessVariables } from './accessFlags';
import { readerConfig, type OpenReader, type ReadFile } from './connectionConfig';
import type { ConnectionHolder, Opening } from './connectionHolder';
import type { DemoProcess, StartDemo } from './demoProcess';
import { OpenConnection } from './openConnection';
import { nothing } from './params';
import type { StartProgress } from './progress';
import { readConnectParams, readDemoParams, readGateParams } from './queryParams';
import type { Router } from './router';
import type { ServerSettings } from './settings';
import { withTlsAdvice } from './tlsAdvice';

export interface ConnectionDeps {
  readonly holder: ConnectionHolder;
  readonly openReader: OpenReader;
  readonly readFile: ReadFile;
  readonly startDemo: StartDemo;
  readonly startProgress: StartProgress;
  readonly settings: ServerSettings;
  readonly clock: Clock;
  readonly log: Log;
}

export function registerConnection(router: Router, deps: ConnectionDeps): void {
  const { holder } = deps;
  router.handle('etcdList/connect', readConnectParams, (params, { signal }) =>
    holder.replace(params.connection.name, openConfigured(params, deps), signal),
  );
  router.handle('etcdList/connectDemo', readDemoParams, async ({ pods }, { signal }) => {
    holder.requireTrust();
    const progress = deps.startProgress('Starting the demo cluster');
    const both = AbortSignal.any([signal, progress.signal]);
    try {
      progress.report(`${pods.toLocaleString('en-US')} pods`);
      return await holder.replace('demo', openDemo(pods, deps), both);
    } finally {
      progress.end();
    }
  });
  router.handle('etcdList/disconnect', nothing, () => holder.disconnect());
  router.handle('etcdList/status', nothing, () => holder.status);
  router.handle('etcdList/accessVariables', nothing, () =>
    holder.current === undefined ? null : accessVariables(holder.current),
  );
  router.handle('etcdList/probe', nothing, (_, { signal }) => holder.probe(signal));
  router.handle('etcdList/setRangeStreamGate', readGateParams, ({ on }) => {
    holder.setGate(on);
    return holder.status;
  });
}

function openConfigured(params: ConnectParams, deps: ConnectionDeps): Opening {
  return async (signal, onChange) => {
    const config = await readerConfig(params, deps.readFile, signal);
    const { connection: access } = params;
    const { name, root = DEFAULT_ROOT, tls } = access;
    const explain = (error: unknown): unknown => withTlsAdvice(error, tls);
    const parts = { name, root, access, isDemo: false, ...shared(deps), onChange, explain };
    try {
      const reader = deps.openReader({ ...config, ...limits(deps) });
      return new OpenConnection({ ...parts, reader });
    } catch (error) {
      throw explain(error);
    }
  };
}

function openDemo(pods: number, deps: ConnectionDeps): Opening {
  return async (signal, onChange) => {
    const demo = await deps.startDemo(pods, signal);
    const reader = readerOf(demo, deps);
    const opened = new OpenConnection({
      name: 'demo',
      reader,
      root: DEFAULT_ROOT,
      access: { endpoints: [demo.endpoint] },
      isDemo: true,
      ...shared(deps),
      onChange,
      stop: () => {
        demo.stop();
      },
    });
    demo.onEnded(() => {
      const sentence = 'The demo cluster ended by itself: start it again.';
      deps.holder.lost(opened, { code: 'etcd', sentence });
    });
    return opened;
  };
}

function readerOf(demo: DemoProcess, deps: ConnectionDeps): EtcdReader {
  try {
    return deps.openReader({ endpoints: [demo.endpoint], ...limits(deps) });
  } catch (error) {
    demo.stop();
    throw error;
  }
}

function shared({ clock, log }: ConnectionDeps) {
  return { clock, features: createFeatureChecker(clock, log) };
}

function limits({ settings, log }: ConnectionDeps) {
  return {
    byteBudget: settings.current.byteBudgetMiB * 1024 * 1024,
    deadlineMs: () => settings.current.deadlineSeconds * 1000,
    log,
  };
}
