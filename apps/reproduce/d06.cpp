// The experiments of D06: the list.
#include "d06.hpp"

namespace palp::reproduce {

std::vector<Experiment> d06_experiments() {
  return {
      {"D06.1", "D06 §5.2, figure 7", "Pyramids against the exact friction cone: precision", "d06-table.yaml",
       "The forces of a k-sided pyramid approach those of the exact cone as k grows; 16 sides bring them "
       "within "
       "5 %. Four-legged table on a floor, μ = 0.1, 30 random motions.",
       "γ below 5 % needs 16 sides.", pyramid_gap},
      {"D06.2", "D06 §5.2, figure 8", "Pyramids against the exact friction cone: time", "d06-table.yaml",
       "The Gauss-Seidel solver on the exact cone is much faster than Lemke's on 8-sided pyramids, the more "
       "so "
       "the more contacts. 50 random motions and friction coefficients.",
       "Two curves of MATLAB times that part as the contacts grow; a tendency, no numbers.", pyramid_time},
      {"D06.3", "D06 §5.3, figures 9 to 11", "The Delassus operator of a table", "d06-table.yaml",
       "Contacts on one leg form a block; legs are hardly coupled. Bars between the legs raise the coupling "
       "along "
       "them and lower the tangential compliance.",
       "Pictures of W with four blocks; with bars, coupling between the legs grows along the bars.",
       delassus_of_the_table},
      {"D06.4", "D06 §5.2, figure 6", "Friction and the spread of a table's legs", "d06-table.yaml",
       "The same table under the same load stands differently: the less friction, the wider the legs spread.",
       "Pictures of the table for several friction coefficients.", leg_spread},
      {"D06.5", "D06 §6.3, figure 13", "A stiff block: rigid or corotational, contacts shuffled",
       "d06-block.yaml",
       "A rigid block and a stiff corotational one both lie still. The rigid one's forces depend on the "
       "order in "
       "which the contacts are treated, the corotational one's are unique.",
       "A picture of both force patterns; same behaviour, one solution with the corotational body.",
       shuffled_contacts},
      {"D06.6", "D06 §6.1 and 6.2", "Stability of stiff and light bodies at large steps", "d06-stiff.yaml",
       "With the global corotational body a stiff body keeps its true mass at any step: haptic coupling "
       "stays "
       "stable.",
       "Stable haptic feedback with an arbitrary step; 15 g and E = 700 MPa at 3 ms.", stiff_and_light},
  };
}

}  // namespace palp::reproduce
