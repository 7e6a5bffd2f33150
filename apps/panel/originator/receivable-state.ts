/** The statuses of receivables, in the order of their lives. */
export const receivableStates = ['PENDING', 'REFUSED', 'OPEN', 'SETTLED'] as const;
export type ReceivableState = (typeof receivableStates)[number];

/** Parameters of the address that filter receivables. */
export interface ReceivableParameters {
  /** Identifier in the originator's system. */
  readonly contrato?: string;
  readonly status?: ReceivableState;
  /** Id of the estate. */
  readonly patrimonio?: string;
  /** First and last due day. */
  readonly de?: string;
  readonly ate?: string;
}

const day = /^\d{4}-\d\d-\d\d$/;

/** Returns the parameters of an address that filter receivables; all others are left out. */
export function receivableParameters(search: Readonly<Record<string, unknown>>): ReceivableParameters {
  const { contrato, status, patrimonio, de, ate } = search;
  const state = receivableStates.find((one) => one === status);
  const name = typeof contrato === 'number' ? String(contrato) : contrato;
  return {
    ...(typeof name === 'string' && name !== '' ? { contrato: name } : {}),
    ...(state === undefined ? {} : { status: state }),
    ...(typeof patrimonio === 'string' && patrimonio !== '' ? { patrimonio } : {}),
    ...(typeof de === 'string' && day.test(de) ? { de } : {}),
    ...(typeof ate === 'string' && day.test(ate) ? { ate } : {}),
  };
}

/** Returns the arguments of the graph. */
export function receivableQuery({ contrato, status, patrimonio, de, ate }: ReceivableParameters) {
  return {
    externalId: contrato ?? null,
    filter: { status: status ?? null, patrimonyId: patrimonio ?? null, dueFrom: de ?? null, dueTo: ate ?? null },
  };
}
