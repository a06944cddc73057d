// What others may use of domains; nothing else is imported from outside.
export type { DayOfForecast } from './forecast'
export { domainJobs, domainSchedules } from './jobs'
export type { DomainAnswer } from './model'
export type { TransportDay } from './queries'
export { domainRoutes } from './routes'
export {
  addSandboxDomain,
  bookWarmUp,
  countInWarmUp,
  type DkimKey,
  dkimKeyFor,
  dropDomainsOf,
  forecastWarmUp,
  type InspectedDomain,
  inspectDomains,
  requireVerifiedSender,
  roomOfTransports,
  senderKeyOf,
  type TransportPlan,
  transportsInWarmUp,
  warmUpOf,
  warmUpOfTransport,
} from './service'
export { startOfNextDay } from './warm-up'
