// All SQL of projects, keys, memberships, invitations and the audit log.
export * from './access'
export * from './api-keys'
export * from './approvals'
export * from './audit'
export * from './closing'
export * from './invitations'
export * from './memberships'
export * from './projects'
