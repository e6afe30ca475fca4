/**
 * Imported before all else: gRPC reads its log level as it is loaded, and its log lines, like Node's
 * deprecations, say nothing that the person could act on. Errors are told in our own sentences.
 */
process.env['GRPC_VERBOSITY'] ??= 'NONE';
process.noDeprecation = true;
