import { availableParallelism, cpus, release, totalmem, type } from 'node:os';

/** Describes the machine of the measurement in one line. @param postgresVersion - undefined where no database ran */
export function machine(postgresVersion) {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return [
    `${cpus()[0]?.model ?? 'processor not known'}, ${availableParallelism()} cores, ${memory} of memory`,
    `${type()} ${release()}`,
    `Node ${process.versions.node}`,
    ...(postgresVersion === undefined ? [] : [`PostgreSQL ${postgresVersion}`]),
  ].join('; ');
}
