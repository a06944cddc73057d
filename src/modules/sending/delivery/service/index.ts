// Use cases of delivery.
export { dropOldBookings } from './bookings'
export { factsOf } from './facts'
export { makeBooker, type PaceClass } from './pace'
export { makePipeline, type Pipeline } from './pipeline'
export { makeDelivery } from './single'
export { type Batch, type Delivery, type Result, type StepOutcome, untried } from './step'
export { plansFor } from './transport-plans'
