// What nearly every file of the project includes; compiled once.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>
