// All SQL of projects, memberships, invitations and the audit log.
export * from './access'
export * from './audit'
export * from './closing'
export * from './invitations'
export * from './memberships'
export * from './overview'
export * from './projects'
export * from './standing'
