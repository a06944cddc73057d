// Use cases of webhooks.
export { announceEvents, deliver } from './deliver'
export { changeEndpoint, createEndpoint, removeEndpoint, requireEndpoint, rotateSecret } from './endpoints'
export { forgetDeliveries, getDelivery, listDeliveries, replayOne, replaySpan, testEndpoint } from './log'
