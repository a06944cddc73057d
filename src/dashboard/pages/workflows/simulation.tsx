export function Simulation() {
  return null
}
