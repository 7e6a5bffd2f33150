export const communicationKinds = ['NOTICE', 'MATERIAL_FACT'] as const;
export type CommunicationKind = (typeof communicationKinds)[number];
