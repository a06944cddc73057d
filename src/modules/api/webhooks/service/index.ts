// Use cases of webhooks.
export { announceEvents, makeDeliverer } from './deliver'
export { changeEndpoint, createEndpoint, removeEndpoint, requireEndpoint, rotateSecret } from './endpoints'
export {
  deleteContactDeliveries,
  deleteDeliveriesOf,
  getDelivery,
  listDeliveries,
  pruneDeliveries,
  replayOne,
  replaySpan,
  testEndpoint,
} from './log'
