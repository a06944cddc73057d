// All SQL of projects and memberships.
export * from './access'
export * from './memberships'
export * from './projects'
