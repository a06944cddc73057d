// What others may use of delivery; nothing else is imported from outside.
export { momentStep, zoneOf } from './hold'
export { deliveryJobs, deliverySchedules } from './jobs'
export { whenFree } from './queries'
export {
  type Batch,
  type Delivery,
  factsOf,
  makePipeline,
  type Pipeline,
  plansFor,
  type Result,
  type StepOutcome,
  untried,
} from './service'
