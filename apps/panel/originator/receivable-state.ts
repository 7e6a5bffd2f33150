import { asDay, asText, oneOf, parametersIn } from '../frame/parameters.js';

/** What filters receivables: the identifier in the originator's system, the id of the estate, the first and the last due day. */
export const receivableParameters = (search: Readonly<Record<string, unknown>>) =>
  parametersIn(search, {
    contrato: asText,
    status: oneOf(['PENDING', 'REFUSED', 'OPEN', 'SETTLED'] as const),
    patrimonio: asText,
    de: asDay,
    ate: asDay,
  });

/** Returns the arguments of the graph. */
export function receivableQuery({ contrato, status, patrimonio, de, ate }: ReturnType<typeof receivableParameters>) {
  return {
    externalId: contrato ?? null,
    filter: { status: status ?? null, patrimonyId: patrimonio ?? null, dueFrom: de ?? null, dueTo: ate ?? null },
  };
}
