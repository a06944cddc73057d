// What others may use of domains; nothing else is imported from outside.
export { domainJobs, domainSchedules } from './jobs'
export type { DomainAnswer } from './model'
export { domainRoutes } from './routes'
export {
  addSandboxDomain,
  type DkimKey,
  dkimKeyFor,
  dropDomainsOf,
  type InspectedDomain,
  inspectDomains,
  requireVerifiedSender,
  senderKeyOf,
} from './service'
