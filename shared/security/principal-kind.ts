export type PrincipalKind =
  'ANONYMOUS' | 'API_KEY' | 'DEVELOPER_KEY' | 'SESSION' | 'CLIENT' | 'TRADER' | 'OPERATOR' | 'WEBSITE' | 'SYSTEM';
