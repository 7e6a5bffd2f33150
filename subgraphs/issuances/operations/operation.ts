/** Receivables certificates of any kind, of real estate, of agribusiness; debentures. */
export const operationTypes = ['CR', 'CRI', 'CRA', 'DEB'] as const;
export type OperationType = (typeof operationTypes)[number];
