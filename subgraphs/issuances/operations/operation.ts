/** Credit note, real-estate receivables, agribusiness receivables, debenture. */
export const operationTypes = ['CR', 'CRI', 'CRA', 'DEB'] as const;
export type OperationType = (typeof operationTypes)[number];
