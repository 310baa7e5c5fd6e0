import Foundation

// What any Swift program that uses Foundation costs: the measure for processes of apps.
print(ProcessInfo.processInfo.processName)
