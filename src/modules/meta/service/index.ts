// What the instance says about itself, to everybody and to its operator.
export { describeFeatures, healthProbe, metricsText, requireMetricsReader, version } from './instance'
export { describeState, type Examine, examination, listFailed } from './operator'
