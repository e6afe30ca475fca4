import type { EtcdReader } from '../../server/etcd/interfaces';

/** The same reader with some methods replaced. */
export function overriding(reader: EtcdReader, replaced: Partial<EtcdReader>): EtcdReader {
  return {
    endpoints: reader.endpoints,
    get currentEndpoint() {
      return reader.currentEndpoint;
    },
    serializable: reader.serializable,
    byteBudget: reader.byteBudget,
    range: (request, options) => reader.range(request, options),
    rangeStream: (request, options) => reader.rangeStream(request, options),
    watch: (request, options) => reader.watch(request, options),
    status: (endpoint, options) => reader.status(endpoint, options),
    members: (options) => reader.members(options),
    close: () => {
      reader.close();
    },
    ...replaced,
  };
}
